pbd.o: kernels/pbd.c kernels/pbd_rows.h kernels/pbd_project.h \
 kernels/place.h kernels/body.h kernels/kernel.h soa/rod.h \
 kernels/vec/algebra.h kernels/vec/neon.h kernels/scale.h \
 kernels/lockstep.h kernels/sweep.h kernels/order.h \
 kernels/rigid_damping.h kernels/frame.h kernels/variants.h
kernels/pbd_rows.h:
kernels/pbd_project.h:
kernels/place.h:
kernels/body.h:
kernels/kernel.h:
soa/rod.h:
kernels/vec/algebra.h:
kernels/vec/neon.h:
kernels/scale.h:
kernels/lockstep.h:
kernels/sweep.h:
kernels/order.h:
kernels/rigid_damping.h:
kernels/frame.h:
kernels/variants.h:
